// Samples of the voices: synthesised by the service itself when first requested, then kept as files.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTogetherByKey } from '../../async/waiting.ts';
import { makePrivateFolder, writePrivateFile } from '../../store/private-files.ts';
import type { CatalogueModel } from './catalogue.ts';
import type { Engines, SpeakRequest } from './engines/index.ts';

export interface Samples {
  /** Returns the MP3 of `<name>.mp3`, or null if the model has no such sample. */
  read(model: CatalogueModel, file: string): Promise<Uint8Array | null>;
}

/** Depends on the text, the voice and what the engines make of both, so that a kept file never belongs to another one. */
export function sampleName(model: CatalogueModel, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([model.voice, text, model.soundVersion]))
    .digest('hex')
    .slice(0, 16);
}

/** The folder grows no further than the samples in the catalogue. */
export function createSamples(dir: string, engines: Engines): Samples {
  const readTogether = createTogetherByKey<string, Uint8Array>();

  const readOrSynthesise = async (voice: SpeakRequest['voice'], text: string, path: string) => {
    const kept = await readFile(path).catch(() => null);
    if (kept) return kept;
    const audio = Buffer.concat(await Array.fromAsync(engines.speak({ text, voice, format: 'mp3', mp3Bitrate: 64, isDownload: true })));
    makePrivateFolder(dir);
    await writePrivateFile(path, audio);
    return audio;
  };

  return {
    async read(model, file) {
      const { voice } = model;
      const sample = model.samples.find(({ text }) => `${sampleName(model, text)}.mp3` === file);
      if (!sample || !voice) return null;
      const path = join(dir, file);
      return readTogether(path, () => readOrSynthesise(voice, sample.text, path));
    },
  };
}
