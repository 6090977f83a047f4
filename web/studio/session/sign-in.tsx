import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { readDemoKey, readServer } from '../../api/server.ts';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './sign-in.module.css';

/** Asks for a key. Offers the demo where the server gives its key to this browser. */
export function SignIn({ reason, onKey }: { reason: string | undefined; onKey: (key: string) => void }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const server = useQuery({ queryKey: ['server'], queryFn: ({ signal }) => readServer(signal) });
  const demo = useMutation({ mutationFn: readDemoKey, onSuccess: onKey });
  const title = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim();
    if (key === '') setProblem('Enter a key.');
    else onKey(key);
  };
  return (
    <main className={classes.page}>
      <section className={classes.card} aria-labelledby={title}>
        <Logo />
        <h1 id={title}>Sign in to the Studio</h1>
        <p className={classes.about}>
          See what your agents say, compare versions, and decide what callers meet.
        </p>
        {server.data?.demo && (
          <>
            <Button variant="primary" size="large" isBusy={demo.isPending} onClick={() => demo.mutate()}>
              Open the demo project
            </Button>
            {demo.error && <p role="alert">{demo.error.message}</p>}
            <p className={classes.or}>or with a key of your own</p>
          </>
        )}
        <form onSubmit={submit} className={classes.form}>
          <TextField
            label="Secret key"
            type="password"
            name="key"
            autoComplete="off"
            placeholder="parley_sk_…"
            value={typed}
            error={problem ?? reason}
            onChange={(value) => {
              setTyped(value);
              setProblem(undefined);
            }}
          />
          <Button type="submit" variant={server.data?.demo ? 'normal' : 'primary'} size="large">
            Sign in
          </Button>
        </form>
        <p className={classes.note}>
          The key stays in this tab and is forgotten when you close it. An administrator makes keys with{' '}
          <code>parley key create</code>.
        </p>
      </section>
    </main>
  );
}
