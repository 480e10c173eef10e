// What Parley uses of WebAssembly. TypeScript only declares it together with the DOM, which there is none of in Node.
// https://webassembly.github.io/spec/js-api/
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;

  class Module {
    constructor(bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer);
  }

  class Instance {
    /** @throws LinkError if an import is missing or of another kind */
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    /** In pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum?: number });
    /** Replaced by another when the memory grows. */
    readonly buffer: ArrayBuffer;
  }

  /** A trap: the program did what it must not, such as reading beyond its memory. */
  class RuntimeError extends Error {}

  function compile(bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer): Promise<Module>;
  function instantiate(
    bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer,
    imports?: Imports,
  ): Promise<{ module: Module; instance: Instance }>;
  function validate(bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer): boolean;
}
