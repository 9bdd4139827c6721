import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type GithubUser = { readonly id: number; readonly login: string | null; readonly name: string | null }

export type GithubStandIn = {
  /** The URL of the enterprise host. */
  readonly endpoint: string
  readonly client: { readonly id: string; readonly secret: string }
  /** The user that every sign-in returns. */
  user: GithubUser
  readonly close: () => Promise<void>
}

type Grant = { readonly challenge: string | null; readonly redirect: string }

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/**
 * Starts a stand-in for GitHub's variant of OAuth 2, as GitHub documents it. It has no id tokens, sends errors with status 200,
 * and provides user data through the API.
 */
export const startGithub = async (user: GithubUser): Promise<GithubStandIn> => {
  const client = { id: 'Iv1.0123456789abcdef', secret: randomBytes(20).toString('hex') }
  const codes = new Map<string, Grant>()
  const tokens = new Set<string>()
  const standIn = { user }

  const authorize = (url: URL, response: ServerResponse) => {
    const code = randomBytes(10).toString('hex')
    const redirect = url.searchParams.get('redirect_uri') ?? ''
    codes.set(code, { challenge: url.searchParams.get('code_challenge'), redirect })
    const back = new URL(redirect)
    back.searchParams.set('code', code)
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }
  const exchange = async (request: IncomingMessage, response: ServerResponse) => {
    const form = await bodyOf(request)
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isClient = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isClient) return json(response, 200, { error: 'incorrect_client_credentials' })
    if (grant === undefined || grant.challenge !== challenge || grant.redirect !== form.get('redirect_uri')) {
      return json(response, 200, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' })
    }
    const access_token = `gho_${randomBytes(18).toString('hex')}`
    tokens.add(access_token)
    return json(response, 200, { access_token, scope: '', token_type: 'bearer' })
  }
  const userOf = (request: IncomingMessage, response: ServerResponse) => {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (request.headers['user-agent'] === undefined) return json(response, 403, { message: 'No user agent' })
    return tokens.has(token) ? json(response, 200, standIn.user) : json(response, 401, { message: 'Bad credentials' })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/login/oauth/authorize') authorize(url, response)
    else if (url.pathname === '/login/oauth/access_token') void exchange(request, response)
    else if (url.pathname === '/api/v3/user') userOf(request, response)
    else json(response, 404, { message: 'Not Found' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return Object.assign(standIn, {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  })
}
