// Runs in the browser's sound thread: passes on what the microphone hears, 20 ms at a time.

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** At 48 kHz: an Opus packet of Discord's. */
const FRAME_SAMPLES = 960;

class Framer extends AudioWorkletProcessor {
  #frame = new Float32Array(FRAME_SAMPLES);
  #filled = 0;

  process([channels]: Float32Array[][]): boolean {
    const [samples = new Float32Array()] = channels ?? [];
    for (const sample of samples) {
      this.#frame[this.#filled++] = sample;
      if (this.#filled < FRAME_SAMPLES) continue;
      this.port.postMessage(this.#frame, [this.#frame.buffer]);
      this.#frame = new Float32Array(FRAME_SAMPLES);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('framer', Framer);
