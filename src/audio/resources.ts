// Counts resources that must be freed explicitly: the garbage collector does not see WebAssembly memory and processes.

type Resource = 'encoder' | 'mp3 decoder' | 'opus decoder' | 'ffmpeg process' | 'sound in a worker';

const counts: Record<Resource, number> = { encoder: 0, 'mp3 decoder': 0, 'opus decoder': 0, 'ffmpeg process': 0, 'sound in a worker': 0 };

/** Counts one more. Returns a function that counts it off again, once. */
export function trackResource(resource: Resource): () => void {
  let isHeld = true;
  counts[resource]++;
  return () => {
    if (isHeld) counts[resource]--;
    isHeld = false;
  };
}

/** How many encoders, decoders and ffmpeg processes this thread holds, and how many sounds workers prepare for it; all 0 while nothing plays. */
export function resourcesInUse(): Readonly<Record<Resource, number>> {
  return { ...counts };
}
