/** Asks for the microphone. It exists only on pages that came over HTTPS, or from this machine. */
export async function openMicrophone(): Promise<MediaStream> {
  if (!globalThis.isSecureContext)
    throw new Error('Browsers allow the microphone over HTTPS only. Open the Studio with https://.');
  return navigator.mediaDevices.getUserMedia({ audio: true });
}

/** Why {@link openMicrophone} has failed, and what to do about it. */
export function microphoneProblem(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'The microphone cannot be used.';
  switch (thrown.name) {
    case 'NotAllowedError':
      return 'The browser does not let this page use the microphone. Allow it next to the address, and try again.';
    case 'NotFoundError':
      return 'This device has no microphone.';
    case 'NotReadableError':
      return 'Another program uses the microphone. Close it, and try again.';
    default:
      return thrown.message;
  }
}
