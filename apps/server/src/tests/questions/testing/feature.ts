import type { KindTeam } from './team.ts'

/** What Postil does with answers, each as a test that runs with every kind of question. */
export type Features = { readonly [feature: string]: (team: KindTeam) => Promise<void> }
