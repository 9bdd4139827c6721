import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { haveSession } from '../support/sign-in.ts'
import type { GivenRecord } from './annotation.ts'
import { answers, givenAnnotation, openAnnotation } from './annotation.ts'
import type { Team } from './team.ts'

/** Datasets of which the owner answers a record in the browser. */
export const answering = (team: Team) => {
  let datasets = 0
  const givenRecords = (records: readonly GivenRecord[], more: object = {}) =>
    givenAnnotation(team.server, { name: `dataset ${++datasets}`, workspaceId: team.workspaceId, records, ...more })

  const open = async (
    id: string,
    options: Parameters<typeof openPage>[2] = {},
  ): Promise<{ page: Page; done: () => Promise<void> }> => {
    const opened = await openPage(team.browser, team.server.url, options)
    await haveSession(opened.page, team.server.url)
    await openAnnotation(opened.page, id)
    return {
      page: opened.page,
      done: async () => {
        expect(opened.complaints()).toEqual([])
        await opened.close()
      },
    }
  }

  const onlyAnswer = async (id: string) => {
    await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
    return [...(await answers(team.server, id)).values()][0]
  }
  return { givenRecords, open, onlyAnswer }
}
