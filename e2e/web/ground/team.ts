import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { givenWorkspace } from './given.ts'

export type Team = { server: RunningServer; browser: Browser; workspaceId: string }

/**
 * A server with a workspace, and a browser, for the tests of the file that asks; there once its tests run.
 * @param env what the server's environment says besides, as it is when the tests begin
 */
export const setUpTeam = (env: { readonly [name: string]: string } = {}): Team => {
  const team = {} as Team
  beforeAll(async () => {
    ;[team.server, team.browser] = await Promise.all([startServer({ env }), openBrowser()])
    team.workspaceId = await givenWorkspace(team.server, 'team')
  })
  afterAll(async () => {
    await team.browser?.close()
    await team.server?.stop()
  })
  return team
}
