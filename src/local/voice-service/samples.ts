// Samples of the voices: synthesised by the service itself when first asked for, then kept as files.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../store/private-files.ts';
import type { CatalogueModel } from './catalogue.ts';
import type { Engines } from './engines/index.ts';

export interface Samples {
  /** The MP3 of `<name>.mp3`, or null when the model has no such sample. */
  read(model: CatalogueModel, file: string): Promise<Uint8Array | null>;
}

/** Changes with the text and with the voice, so that a kept file is never of another one. */
export function sampleName(model: CatalogueModel, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([model.voice, text]))
    .digest('hex')
    .slice(0, 16);
}

/** There are only so many samples in a catalogue: neither the folder nor the work to fill it grows beyond that. */
export function createSamples(dir: string, engines: Engines): Samples {
  const underWay = new Map<string, Promise<Uint8Array>>();

  const make = async (model: CatalogueModel, text: string, path: string) => {
    const kept = await readFile(path).catch(() => null);
    if (kept) return kept;
    if (!model.voice) throw new Error(`"${model.entity._id}" has samples and no voice.`);
    const audio = Buffer.concat(await Array.fromAsync(engines.speak({ text, voice: model.voice, format: 'mp3', mp3Bitrate: 64 })));
    makePrivateFolder(dir);
    // Renamed when whole: a crash leaves no half sample under the name.
    await writeFile(`${path}.part`, audio, { mode: 0o600 });
    await rename(`${path}.part`, path);
    return audio;
  };

  return {
    async read(model, file) {
      const sample = model.samples.find(({ text }) => `${sampleName(model, text)}.mp3` === file);
      if (!sample || !model.voice) return null;
      const path = join(dir, file);
      let making = underWay.get(path);
      if (!making) {
        making = make(model, sample.text, path).finally(() => underWay.delete(path));
        underWay.set(path, making);
      }
      return making;
    },
  };
}
