export { activeTimePolicy } from './policy.ts'
export { activeTimes } from './quartiles.ts'
export { isShownToLeads } from './settings.ts'
