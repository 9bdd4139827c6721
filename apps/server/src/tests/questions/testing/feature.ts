import type { KindTeam } from './team.ts'

/** The things that Postil does with answers. Each is a test that runs with every kind of question. */
export type Features = { readonly [feature: string]: (team: KindTeam) => Promise<void> }
