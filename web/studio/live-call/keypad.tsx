import { Button } from '../../ui/button.tsx';
import classes from './live-call.module.css';

/** In the order of a telephone. */
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const names: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

interface KeypadProps {
  /** Why no key can be pressed now. */
  readonly refusal: string | undefined;
  readonly onPress: (key: string) => void;
}

/** The keys of a telephone. While one of them has the focus, the keys of the keyboard work too. */
export function Keypad({ refusal, onPress }: KeypadProps) {
  return (
    <fieldset
      className={classes.keypad}
      onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
        if (refusal === undefined && !ctrlKey && !metaKey && !altKey && keys.some((one) => one === key))
          onPress(key);
      }}
    >
      <legend>Keypad</legend>
      {keys.map((key) => (
        <Button
          key={key}
          size="large"
          aria-label={names[key] ?? key}
          refusal={refusal}
          onClick={() => onPress(key)}
        >
          {key}
        </Button>
      ))}
    </fieldset>
  );
}
