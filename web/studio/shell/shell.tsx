import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Empty } from '../../ui/empty.tsx';
import { MenuIcon, SignOutIcon, ThemeIcon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useTheme } from '../../ui/use-theme.ts';
import { PageErrors } from './page-errors.tsx';
import { pages } from './pages.ts';
import classes from './shell.module.css';

const home = '/overview';

/** The menu and the page that is open. */
export function Shell() {
  const [location] = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenuOpen(false), [location]);
  // The tabs of a record are one page: their addresses differ in the third part only.
  const page = location.split('/', 3).join('/');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top
  useLayoutEffect(() => {
    // The braces keep the promise that newer browsers return from being taken for the effect's cleanup.
    globalThis.scrollTo(0, 0);
  }, [page]);
  // The server serves the Studio at `/` too.
  if (globalThis.location.pathname === '/') return <Redirect to={home} replace />;
  return (
    <div className={classes.shell}>
      <a href="#page" className={classes.skip}>
        Skip to the page
      </a>
      <header className={classes.bar}>
        <Logo size={24} />
        <strong>Parley</strong>
        <Button
          variant="quiet"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          aria-label="Menu"
          icon={<MenuIcon />}
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
      </header>
      <Menu location={location} isOpen={isMenuOpen} />
      <main id="page" tabIndex={-1} className={classes.page}>
        <PageErrors key={location}>
          <Suspense fallback={<Loading what="the page" />}>
            <Switch>
              {pages.map(({ path, component: Page }) => (
                <Route key={path} path={path}>
                  {(params) => <Page params={params as Record<string, string>} />}
                </Route>
              ))}
              <Route path="/">
                <Redirect to={home} replace />
              </Route>
              <Route>
                <Empty title="There is no such page">
                  <Link href={home}>Show the overview</Link>
                </Empty>
              </Route>
            </Switch>
          </Suspense>
        </PageErrors>
      </main>
    </div>
  );
}

function Menu({ location, isOpen }: { location: string; isOpen: boolean }) {
  const { projectId, keyName, signOut } = useSession();
  const project = useOperation('get_project', { projectId });
  const { next, change } = useTheme();
  return (
    <nav id="menu" aria-label="Studio" className={classNames(classes.menu, isOpen && classes.open)}>
      <div className={classes.project}>
        <Logo size={24} />
        <strong>{project.data?.name ?? 'Parley'}</strong>
      </div>
      <ul>
        {pages.map(({ path, menu }) => {
          if (!menu) return null;
          const { icon: PageIcon, label } = menu;
          const isCurrent = location === path || location.startsWith(`${path}/`);
          return (
            <li key={path}>
              <Link href={path} className={classes.link} aria-current={isCurrent ? 'page' : undefined}>
                <PageIcon />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
      <div className={classes.foot}>
        <p className={classes.key} title={keyName}>
          {keyName}
        </p>
        <Button variant="quiet" size="small" icon={<ThemeIcon />} onClick={change}>
          {next}
        </Button>
        <Button variant="quiet" size="small" icon={<SignOutIcon />} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}
