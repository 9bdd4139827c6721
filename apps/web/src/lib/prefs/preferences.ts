/**
 * Data that the browser stores between visits, as one JSON object under one key. `boot.ts` reads the theme from it before the
 * first paint. If storage is turned off, nothing is stored and everything else still works.
 */
export type Theme = 'system' | 'light' | 'dark' | 'high-contrast'
type Preferences = {
  readonly theme: Theme
  /** The chosen language, or null if none was chosen. */
  readonly language: string | null
  /** Whether someone was signed in on the last visit. Only a hint for what to fetch first. */
  readonly signedIn: boolean
  /** The ID of the user who was signed in last. The records on this device for offline use belong to this user. */
  readonly keptFor: string | null
  /** Path to return to after sign-in. */
  readonly redirectTo: string | null
  /** Sizes and open states of panels, keyed by panel name. */
  readonly layout: { readonly [panel: string]: number | boolean | string }
  /** The last export that this browser started for each dataset, keyed by dataset ID. */
  readonly exports: { readonly [datasetId: string]: { readonly jobId: string; readonly datasetName: string } }
  /** Whether silent failures are logged to the console. Developers set it by hand. */
  readonly developer: boolean
  /** Customized shortcuts of the annotation screen, keyed by action. */
  readonly keys: { readonly [action: string]: string }
  /**
   * IDs of the users who have turned on submitting by key. If there is only one question, the key that answers it then also
   * submits the answer.
   */
  readonly submitsOnKey: readonly string[]
  /** Unfinished uploads. Each is a pair of the file and its ID on the server. The most recent upload is last. */
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
  submitsOnKey: [],
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
    // Storage is unavailable, so the preferences stay in memory until the web app is closed.
  }
}

export const preferences = {
  read: (): Preferences => parse(load()),
  /** Stores the changed preferences. Keeps all other keys, including those that another tab has written. */
  write: (change: Partial<Preferences>): void => store(JSON.stringify({ ...parse(load()), ...change })),
}
