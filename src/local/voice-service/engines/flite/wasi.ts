// Just enough of WASI (preview 1) to run Flite in memory: arguments, a clock, and files kept in a Map.
//
// Not `node:wasi`: it prints an experimental warning, and its files are real ones on disk.

const SUCCESS = 0;
const BAD_FD = 8;
const INVALID = 28;
const NOT_FOUND = 44;
/** The only directory the program sees; 0 to 2 are the standard streams. */
const ROOT_FD = 3;

interface OpenFile {
  name: string;
  bytes: Uint8Array;
  length: number;
  position: number;
}

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * Runs the program to its end, in this thread.
 * @param files the contents of the program's root directory, by name
 * @returns its exit code and the files as it left them
 * @throws WebAssembly.RuntimeError if the program traps
 */
export function runProgram(
  module: WebAssembly.Module,
  args: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): { code: number; files: Map<string, Uint8Array> } {
  const stored = new Map<string, OpenFile>();
  for (const [name, bytes] of files) stored.set(name, { name, bytes, length: bytes.length, position: 0 });
  const open = new Map<number, OpenFile>();
  const argv = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  let nextFd = ROOT_FD + 1;
  let memory: WebAssembly.Memory;

  const view = () => new DataView(memory.buffer);
  const bytesAt = (pointer: number, length: number) => new Uint8Array(memory.buffer, pointer, length);
  const textAt = (pointer: number, length: number) => new TextDecoder().decode(bytesAt(pointer, length));

  /** Calls `each` for every buffer of an iovec list, until one is not used up. @param written where the total goes */
  function transfer(list: number, count: number, written: number, each: (part: Uint8Array) => number): number {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const part = bytesAt(view().getUint32(list + i * 8, true), view().getUint32(list + i * 8 + 4, true));
      const moved = each(part);
      total += moved;
      if (moved < part.length) break;
    }
    view().setUint32(written, total, true);
    return SUCCESS;
  }

  const imports = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, argv.length, true);
      view().setUint32(
        size,
        argv.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return SUCCESS;
    },
    args_get(pointers: number, buffer: number) {
      let at = buffer;
      for (const [i, arg] of argv.entries()) {
        view().setUint32(pointers + i * 4, at, true);
        bytesAt(at, arg.length).set(arg);
        at += arg.length;
      }
      return SUCCESS;
    },
    clock_time_get(_clock: number, _precision: bigint, result: number) {
      view().setBigUint64(result, BigInt(Date.now()) * 1_000_000n, true);
      return SUCCESS;
    },
    fd_prestat_get(fd: number, result: number) {
      if (fd !== ROOT_FD) return BAD_FD;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, 1, true);
      return SUCCESS;
    },
    fd_prestat_dir_name(fd: number, path: number, length: number) {
      if (fd !== ROOT_FD || length < 1) return BAD_FD;
      bytesAt(path, 1)[0] = '/'.charCodeAt(0);
      return SUCCESS;
    },
    fd_fdstat_get(fd: number, result: number) {
      bytesAt(result, 24).fill(0);
      const characterDevice = 2;
      const directory = 3;
      const regularFile = 4;
      view().setUint8(result, fd < ROOT_FD ? characterDevice : fd === ROOT_FD ? directory : regularFile);
      view().setBigUint64(result + 8, 0xffff_ffffn, true);
      view().setBigUint64(result + 16, 0xffff_ffffn, true);
      return SUCCESS;
    },
    fd_fdstat_set_flags: () => SUCCESS,
    path_open(
      _directory: number,
      _lookup: number,
      path: number,
      length: number,
      flags: number,
      _rights: bigint,
      _inheriting: bigint,
      _fdFlags: number,
      result: number,
    ) {
      const name = textAt(path, length).replace(/^[./]+/, '');
      const create = (flags & 1) !== 0;
      const truncate = (flags & 8) !== 0;
      let file = stored.get(name);
      if (!file) {
        if (!create) return NOT_FOUND;
        file = { name, bytes: new Uint8Array(64 * 1024), length: 0, position: 0 };
        stored.set(name, file);
      }
      if (truncate) file.length = 0;
      file.position = 0;
      open.set(nextFd, file);
      view().setUint32(result, nextFd++, true);
      return SUCCESS;
    },
    fd_close(fd: number) {
      open.delete(fd);
      return SUCCESS;
    },
    fd_read(fd: number, list: number, count: number, result: number) {
      const file = open.get(fd);
      if (!file) return BAD_FD;
      return transfer(list, count, result, (part) => {
        const available = file.bytes.subarray(file.position, Math.min(file.length, file.position + part.length));
        part.set(available);
        file.position += available.length;
        return available.length;
      });
    },
    fd_write(fd: number, list: number, count: number, result: number) {
      if (fd < ROOT_FD) return transfer(list, count, result, (part) => part.length);
      const file = open.get(fd);
      if (!file) return BAD_FD;
      return transfer(list, count, result, (part) => {
        write(file, part);
        return part.length;
      });
    },
    fd_seek(fd: number, offset: bigint, whence: number, result: number) {
      const file = open.get(fd);
      if (!file) return BAD_FD;
      const base = whence === 0 ? 0 : whence === 1 ? file.position : file.length;
      const target = base + Number(offset);
      if (target < 0) return INVALID;
      file.position = target;
      view().setBigUint64(result, BigInt(target), true);
      return SUCCESS;
    },
    proc_exit(code: number) {
      throw new Exit(code);
    },
  };

  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
  memory = instance.exports.memory as WebAssembly.Memory;
  let code = 0;
  try {
    (instance.exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  }
  return { code, files: new Map([...stored].map(([name, file]) => [name, file.bytes.subarray(0, file.length)])) };
}

function write(file: OpenFile, part: Uint8Array): void {
  const end = file.position + part.length;
  if (end > file.bytes.length) {
    const larger = new Uint8Array(Math.max(end, file.bytes.length * 2));
    larger.set(file.bytes.subarray(0, file.length));
    file.bytes = larger;
  }
  file.bytes.set(part, file.position);
  file.position = end;
  file.length = Math.max(file.length, end);
}
