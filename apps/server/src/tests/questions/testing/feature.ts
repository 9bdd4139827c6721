import type { KindTeam } from './team.ts'

/** Tests of what Postil does with answers, keyed by feature. Each test runs with every kind of question. */
export type Features = { readonly [feature: string]: (team: KindTeam) => Promise<void> }
