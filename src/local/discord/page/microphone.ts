// The browser's permission to use the microphone.

/** @throws Error with a sentence to show to the member */
export async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices || !('MediaRecorder' in globalThis))
    throw new Error('This browser doesn’t allow the microphone at this address. Open the page as http://127.0.0.1 or http://localhost.');
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  } catch (error) {
    const isDenied = (error as DOMException).name === 'NotAllowedError';
    throw new Error(
      isDenied
        ? 'The microphone was not allowed. Allow it in the browser’s address bar, then try again.'
        : 'No microphone was found. Plug one in, then try again.',
    );
  }
}
