/** A text message. */
export interface Sms {
  /** E.164, such as +12025550143. */
  readonly to: string;
  readonly text: string;
}

/** Sends text messages. */
export interface SmsProvider {
  /** @throws ProviderFailure if the provider did not accept the message, or the signal's reason */
  send(message: Sms, signal: AbortSignal): Promise<void>;
}
