import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { afterAll, beforeAll } from 'vitest'
import { setUpTeam, type Team } from './team.ts'

/** A team whose server asks a stand-in for the hub. */
export const setUpTeamWithHub = (): Team & { readonly hub: StandInHub } => {
  const env: { [name: string]: string } = {}
  beforeAll(async () => {
    team.hub = await startStandInHub()
    Object.assign(env, { HF_ENDPOINT: team.hub.url, POSTIL_DATASETS_SERVER: team.hub.url })
  })
  afterAll(async () => {
    await team.hub?.close()
  })
  // NOTE: after those hooks, because the server needs the address of the hub
  const team = setUpTeam(env) as Team & { hub: StandInHub }
  return team
}
