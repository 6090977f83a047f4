import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import classes from './configuration-tab.module.css';
import { type FlowItem, sectionsOf } from './flow-fields.ts';
import type { FlowTabProps } from './use-flow-versions.ts';

/** What the newest version says, section by section. */
export default function ConfigurationTab({ newest, live }: FlowTabProps) {
  const sections = sectionsOf(newest.flowSchema);
  if (sections.length === 0)
    return (
      <Empty title="This version says nothing yet">
        Its configuration is empty. An agent fills it over MCP with <code>edit_flow</code>.
      </Empty>
    );
  return (
    <div className={classes.sections}>
      <p className={classes.which}>
        This is version {newest.version}, the newest
        {newest.version === live?.version ? ' and live.' : '. Callers do not meet it yet.'}
      </p>
      {sections.map(({ title, items }) => (
        <Card key={title} title={title}>
          {items.map((item) => (
            <Item key={item.key} item={item} />
          ))}
        </Card>
      ))}
    </div>
  );
}

function Item({ item: { title, fields } }: { item: FlowItem }) {
  return (
    <div className={classes.item}>
      {title && <h3 dir="auto">{title}</h3>}
      {fields.length > 0 && (
        <dl>
          {fields.map(({ key, name, text }) => (
            <div key={key} className={classes.field}>
              <dt className={name ? undefined : 'visually-hidden'}>{name || 'Text'}</dt>
              <dd dir="auto">{text === '' ? 'empty' : text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
