import { useEffect, useId, useRef } from 'react';
import classes from './live-call.module.css';

/** Milliseconds between two looks; for people who want less motion, the meter moves once a second. */
const interval = 60;
const calmInterval = 1_000;

/** Shows how loud somebody is. */
export function LevelMeter({ label, read }: { label: string; read: () => number }) {
  const id = useId();
  const meter = useRef<HTMLMeterElement>(null);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const { matches: isCalm } = matchMedia('(prefers-reduced-motion: reduce)');
    const show = () => {
      if (meter.current) meter.current.value = latest.current();
    };
    const timer = setInterval(show, isCalm ? calmInterval : interval);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={classes.level}>
      <label htmlFor={id}>{label}</label>
      <meter id={id} ref={meter} min={0} max={1} className={classes.meter} />
    </div>
  );
}
