import type { Access } from '../../operation/access.ts';
import { type Html, html } from './page.ts';

/** What a person decides about. */
export interface SignInRequest {
  /** Where the client comes from: the host of its metadata document; undefined if it has registered by itself. */
  readonly source: string | undefined;
  /** Where the person is sent afterwards, with the code. */
  readonly destination: string;
  /** True if that is an app on the person's own device. */
  readonly isApp: boolean;
  /** What the client calls itself; nobody has verified it. */
  readonly claimedName: string | undefined;
  /** What it asks for. */
  readonly wanted: readonly Access[];
  /** What the person has chosen of that. */
  readonly chosen: readonly Access[];
  /** True if one click signs in to the demo. */
  readonly hasDemo: boolean;
  /** Why the last try failed. */
  readonly problem: string | undefined;
}

const meaning: Readonly<Record<Access, readonly [name: string, explanation: string]>> = {
  read: ['Read', 'See everything in the project.'],
  run: ['Run', 'Use models and hold sessions, which may cost money.'],
  draft: ['Draft', 'Write new versions that callers do not meet yet.'],
  publish: ['Publish', 'Change and delete what callers meet.'],
  admin: ['Administer', 'Make and revoke keys, and change the project.'],
};

/** The page on which a person lets a client in. Everything that the client says about itself is text, and marked as its own words. */
export function signInPage(request: SignInRequest): Html {
  const { source, destination, isApp, claimedName, wanted, chosen, hasDemo, problem } = request;
  const client = source ?? (isApp ? 'An app on your device' : destination);
  return html`<h1>${client} asks for access to Parley</h1>
<dl>
${claimedName === undefined ? html`` : html`<dt>It calls itself (not verified)</dt><dd><bdi>${claimedName}</bdi></dd>`}
<dt>You will be sent to</dt><dd>${destination}${isApp ? ' (on your device)' : ''}</dd>
</dl>
${problem === undefined ? html`` : html`<p class="error" role="alert">${problem}</p>`}
<form method="post">
<fieldset><legend>What it may do</legend>
${wanted.map(
  (access) =>
    html`<label class="choice"><input type="checkbox" name="access" value="${access}"${
      chosen.includes(access) ? html` checked` : html``
    }><span>${meaning[access][0]}<br><span class="note">${meaning[access][1]}</span></span></label>`,
)}
</fieldset>
<label class="field" for="key">Your Parley key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
<p class="note" id="key-note">The app never sees the key. It gets no more access than the key has, and loses it when the key is revoked.</p>
<p class="note">Allow this only if you have just asked this app to connect.</p>
<div class="actions">
<button class="main" name="decision" value="allow">Allow</button>
${hasDemo ? html`<button name="decision" value="demo">Allow with the demo's key</button>` : html``}
<button name="decision" value="deny">Cancel</button>
</div>
</form>`;
}
