import { createContext } from 'react';

/** False where a part of the Studio is shown alone, so that a link to another page would lead nowhere. */
export const HasPages = createContext(true);
