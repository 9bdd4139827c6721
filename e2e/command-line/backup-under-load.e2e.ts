import { join } from 'node:path'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from '../harness/server.ts'
import { addRecords, answeredRecords, startWritingAnswers } from './answering.ts'

const places: Place[] = []
const newPlace = async (): Promise<Place> => {
  const place = await emptyPlace('postgres')
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

// For the embedded database, see backup.e2e.ts.
test.runIf(testEngine() === 'postgres')(
  'a backup of PostgreSQL has every answer that was confirmed before it started',
  async () => {
    const [source, target] = [await newPlace(), await newPlace()]
    const file = join(source.dataDir, 'one.backup')
    // `restore` needs the secret with which the backup was made, so both places get the same secret.
    const secret = { POSTIL_SECRET: 'one secret for both of the places' }
    const server = await startServer({ place: source, env: secret })
    const client = createClient(server.url, { api_key: OWNER.apiKey })
    const { id: dataset } = await createFactories(client).createDataset({ name: 'asked' })
    const writing = startWritingAnswers(client, await addRecords(client, dataset))
    await expect.poll(() => writing.confirmed.length).toBeGreaterThan(50)
    const before = [...writing.confirmed]
    expect(await postil(source, ['backup', file], secret)).toMatchObject({ code: 0, stderr: '' })
    const duringBackup = writing.confirmed.length - before.length
    await writing.stop()
    await server.stop()
    expect(duringBackup).toBeGreaterThan(0)

    expect(await postil(target, ['restore', file], secret)).toMatchObject({ code: 0, stderr: '' })
    const recounted = { code: 0, stdout: expect.stringContaining('in order') }
    expect(await postil(target, ['doctor'], secret)).toMatchObject(recounted)
    const restored = await startServer({ place: target, env: secret })
    const found = await answeredRecords(createClient(restored.url, { api_key: OWNER.apiKey }), dataset)
    expect(before.filter((id) => !found.has(id))).toEqual([])
    await restored.stop()
    expect(await postil(target, ['doctor'], secret)).toMatchObject(recounted)
  },
)
