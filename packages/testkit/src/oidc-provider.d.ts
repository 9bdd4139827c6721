/** Types for the parts of `oidc-provider` that the stand-in provider uses. The package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Prompt = { readonly name: string }
  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  export class Provider {
    constructor(issuer: string, configuration: { readonly [key: string]: unknown })
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => Grant
    readonly Client: { prototype: { redirectUriAllowed: (uri: string) => boolean } }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly prompt: Prompt }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly [key: string]: unknown },
    ): Promise<void>
  }
}
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  const MemoryAdapter: new (name: string) => object
  // biome-ignore lint/style/noDefaultExport: the package exports it this way
  export default MemoryAdapter
}
