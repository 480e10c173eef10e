// Counts what must be given back: WASM memory and processes are invisible to the garbage collector.

type Resource = 'encoder' | 'mp3 decoder' | 'opus decoder' | 'ffmpeg process' | 'sound in a worker';

const held: Record<Resource, number> = { encoder: 0, 'mp3 decoder': 0, 'opus decoder': 0, 'ffmpeg process': 0, 'sound in a worker': 0 };

/** Counts one more; the function it gives counts it off again, once. */
export function trackResource(resource: Resource): () => void {
  let open = true;
  held[resource]++;
  return () => {
    if (open) held[resource]--;
    open = false;
  };
}

/** How many encoders, decoders and ffmpeg processes this thread uses now, and how many sounds others prepare for it; all 0 when nothing plays. */
export function resourcesInUse(): Readonly<Record<Resource, number>> {
  return { ...held };
}
