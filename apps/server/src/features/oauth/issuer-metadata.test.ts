import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootWith } from './testing/sign-in.ts'

/** A fake identity provider. Its metadata reports `metadataBody` as the issuer. */
let host: Server
let issuer: string
let metadataBody: unknown
let server: TestServer
beforeAll(async () => {
  host = createServer((_, response) => {
    const metadata = { issuer: metadataBody, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/realm`
  server = await bootWith(`providers: [{name: company, issuer: "${issuer}", client_id: id, client_secret: a}]`)
})
afterAll(async () => {
  await server?.close()
  host?.close()
})

const begin = () => server.clientFor(null).get('/oauth2/providers/company/authentication')

it('doesn’t redirect to a provider whose metadata names a different issuer', async () => {
  for (const other of ['https://evil.example.org', `${issuer}/other`, issuer.replace('/realm', ''), undefined, null, [issuer]]) {
    metadataBody = other
    const { status, headers } = await begin()
    expect([other, status, headers.get('location'), headers.get('set-cookie')]).toEqual([other, 401, null, null])
  }
  metadataBody = issuer
  const answer = await begin()
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining(`${issuer}/authorize?`)])
})
