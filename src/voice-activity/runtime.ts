// ONNX Runtime, which runs the models. It is loaded when a model is: 40 MB that most processes never need.

/** @throws Error whose message is a clause, where there is none for this machine */
export async function loadRuntime(): Promise<typeof import('onnxruntime-node')> {
  return import('onnxruntime-node').catch((error: Error) => {
    const [reason] = error.message.split('\n');
    throw new Error(`ONNX Runtime does not load on ${process.platform} ${process.arch}: ${reason}`, { cause: error });
  });
}
