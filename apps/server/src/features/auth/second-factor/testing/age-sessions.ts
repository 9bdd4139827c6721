import type { TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import { age } from './operations.ts'

export const ageSessions = async ({ app }: TestServer, minutes: number): Promise<void> => {
  const { dataDir, databaseUrl } = app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  try {
    await tool.write(age, { minutes })
  } finally {
    await tool.close()
  }
}
