// Used by the sign-in page and the user settings.
export { secondFactorRefusal } from './refusal.ts'

/** Loaded on demand: most accounts have no second factor, and the sign-in form must stay small. */
export const loadCodeStep = () => import('./components/CodeStep.tsx').then(({ CodeStep }) => ({ default: CodeStep }))
/** Loads the form for setting up a second factor. Used if a user must set one up before doing anything else. */
export const loadSetUp = () => import('./components/SetUp.tsx').then(({ SetUp }) => ({ default: SetUp }))
/** Loads the section of the user settings. */
export const loadSecondFactor = () =>
  import('./components/SecondFactor.tsx').then(({ SecondFactor }) => ({ default: SecondFactor }))
