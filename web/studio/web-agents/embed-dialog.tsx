import { Link } from 'wouter';
import type { Output } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toasts.tsx';
import classes from './embed-dialog.module.css';

export type WebAgent = Output<'list_web_agents'>['webAgents'][number];

/** The line that puts a web agent on a page, and which pages it works on. */
export function EmbedDialog({ agent, onClose }: { agent: WebAgent; onClose: () => void }) {
  const { id, name, allowedOrigins, status } = agent;
  const toast = useToast();
  const snippet = `<script src="${globalThis.location.origin}/widget.js" data-web-agent="${id}" data-key="parley_pk_…"></script>`;
  const copy = () =>
    navigator.clipboard.writeText(snippet).then(
      () => toast('The line is copied.'),
      () => toast('The browser did not allow copying. Select the line and copy it yourself.'),
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Put ${name} on a page`}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={() => void copy()}>
            Copy the line
          </Button>
        </>
      }
    >
      {status !== 'active' && <p>This web agent is disabled: until it is active again, no chat starts.</p>}
      <p>Put this line before the end of the page’s body, with a publishable key of this project:</p>
      <pre className={classes.snippet}>{snippet}</pre>
      <p>
        A publishable key starts chats and can do nothing else, so it may stand in a page.{' '}
        <Link href="/keys">Keys</Link> shows which ones there are. A new one is shown once, when it is made.
      </p>
      <h3>It works on pages of</h3>
      {allowedOrigins.length === 0 ? (
        <p>No website yet. Ask your agent to add the addresses of your pages to its allowed origins.</p>
      ) : (
        <ul className={classes.origins}>
          {allowedOrigins.map((origin) => (
            <li key={origin}>
              <bdi>{origin === '*' ? 'any website (*)' : origin}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
