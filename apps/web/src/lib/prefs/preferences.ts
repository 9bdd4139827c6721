/**
 * What the browser remembers between visits, as one JSON object under one key. `boot.ts` reads the theme from it before
 * the first paint. Storage may be switched off: then nothing is remembered and everything still works.
 */
export type Theme = 'system' | 'light' | 'dark' | 'high-contrast'
export type Preferences = {
  readonly theme: Theme
  /** null: never chosen. */
  readonly language: string | null
  /** Whether someone was signed in when this browser was last here: a guess for what to fetch first, no more. */
  readonly signedIn: boolean
  /** Whose records are on this device, to be answered without a network: the id of who was signed in here last. */
  readonly keptFor: string | null
  /** Path to return to after sign-in. */
  readonly redirectTo: string | null
  /** Sizes and open state of panels by a name of the panel's own. */
  readonly layout: { readonly [panel: string]: number | boolean | string }
  /** The last export of each dataset that this browser has started, by the dataset's id. */
  readonly exports: { readonly [datasetId: string]: { readonly jobId: string; readonly datasetName: string } }
  /** Whether the console tells what fails in silence; set by hand by whoever looks for a fault. */
  readonly developer: boolean
  /** Keys of the annotation screen that were changed, by what they do. */
  readonly keys: { readonly [deed: string]: string }
  /** Uploads that have not arrived whole: which file, and its id on the server. The last one was begun last. */
  readonly uploads: readonly (readonly [file: string, id: string])[]
}

export const storageKey = 'postil'
export const themes: readonly Theme[] = ['system', 'light', 'dark', 'high-contrast']
const defaults: Preferences = {
  theme: 'system',
  language: null,
  signedIn: false,
  keptFor: null,
  redirectTo: null,
  layout: {},
  exports: {},
  developer: false,
  keys: {},
  uploads: [],
}

const parse = (text: string | null): Preferences => {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...defaults, ...stored } : defaults
  } catch {
    return defaults
  }
}

let inMemory: string | null = null

const load = (): string | null => {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return inMemory
  }
}

const store = (text: string): void => {
  inMemory = text
  try {
    localStorage.setItem(storageKey, text)
  } catch {
    // Kept in memory until the page is closed.
  }
}

export const preferences = {
  read: (): Preferences => parse(load()),
  /** Other keys stay as they are, also those that another tab wrote meanwhile. */
  write: (change: Partial<Preferences>): void => store(JSON.stringify({ ...parse(load()), ...change })),
}
