// It is asked for signing in and for one's own settings.
export { refusedFactor } from './refusal.ts'

/** Most accounts have none, and the form counts every byte that comes before it. */
export const loadCodeStep = () => import('./components/CodeStep.tsx').then(({ CodeStep }) => ({ default: CodeStep }))
/** Setting one up where it comes before everything else. */
export const loadSetUp = () => import('./components/SetUp.tsx').then(({ SetUp }) => ({ default: SetUp }))
/** The part of one's own settings. */
export const loadSecondFactor = () =>
  import('./components/SecondFactor.tsx').then(({ SecondFactor }) => ({ default: SecondFactor }))
