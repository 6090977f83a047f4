import { lazy, Suspense, useMemo, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { type DailyUsage, lastDays, usageByDay } from './usage-by-day.ts';
import classes from './usage-page.module.css';

// The chart library is as large as a third of the rest of the Studio.
const DayChart = lazy(() => import('./day-chart.tsx'));

const ranges = [7, 30, 90] as const;
const quantities = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** What the project used, by day and service. */
export default function UsagePage() {
  const { projectId } = useSession();
  const [range, setRange] = useState<number>(30);
  const days = useMemo(() => lastDays(range, Date.now()), [range]);
  const usage = useOperation('get_project_usage', {
    projectId,
    from: `${days[0]}T00:00:00Z`,
    granularity: 'day',
  });
  return (
    <>
      <PageHeader title="Usage" about="What the project used on each day of UTC.">
        <SelectField
          label="Range"
          value={String(range)}
          options={ranges.map((count) => ({ value: String(count), label: `Last ${count} days` }))}
          onChange={(value) => setRange(Number(value))}
        />
      </PageHeader>
      <QueryView query={usage} what="the usage">
        {({ points }) =>
          points.length === 0 ? (
            <Empty title={`Nothing was used in the last ${range} days`}>
              Calls, chats and questions to the knowledge appear here within a minute.
            </Empty>
          ) : (
            <div className={classes.charts}>
              {usageByDay(points, days).map((usage) => (
                <UsageCard key={usage.key} usage={usage} />
              ))}
            </div>
          )
        }
      </QueryView>
    </>
  );
}

function UsageCard({ usage }: { usage: DailyUsage }) {
  const { service, metric, total, days } = usage;
  const used = days.filter(({ quantity }) => quantity > 0).toReversed();
  return (
    <Card title={`${service}: ${metric}`} aside={<strong>{quantities.format(total)}</strong>}>
      <Suspense fallback={<Loading what="the chart" />}>
        <DayChart usage={usage} />
      </Suspense>
      <details className={classes.table}>
        <summary>As a table</summary>
        <table>
          <caption className="visually-hidden">
            {service}: {metric} by day
          </caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{metric}</th>
            </tr>
          </thead>
          <tbody>
            {used.map(({ day, quantity }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{quantities.format(quantity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {used.length < days.length && <p>Nothing was used on the other days.</p>}
      </details>
    </Card>
  );
}
