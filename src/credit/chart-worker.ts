// A thread that turns one SVG into a PNG and ends.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Twice as sharp as Discord shows it in a chat. */
const WIDTH = 1200;

const [wasm, font] = await Promise.all([
  readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  readFile(fileURLToPath(import.meta.resolve('@expo-google-fonts/roboto-mono/500Medium/RobotoMono_500Medium.ttf'))),
]);
await initWasm(wasm);
const image = new Resvg(String(workerData), {
  fitTo: { mode: 'width', value: WIDTH },
  font: { fontBuffers: [font], defaultFontFamily: 'Roboto Mono' },
});
parentPort?.postMessage(image.render().asPng());
