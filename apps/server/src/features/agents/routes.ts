import { postMcp, unsupportedMcp } from '@postil/contract/agents.ts'
import { checkNotCrossSite } from '#platform/auth/sessions/csrf.ts'
import { HttpRefusal } from '#platform/http/answers/problem-answers.ts'
import { publicRoute, type Registration, route } from '#platform/http/route.ts'

const refuse = (): never => {
  throw new HttpRefusal(405, 'Method Not Allowed', { allow: 'POST' })
}

/**
 * The routes of the MCP server. They are not part of the API, and the API documentation doesn't contain them.
 * @param api the routes of the API, which the tools use
 */
export const mcpRoutes = (api: readonly Registration[]): readonly Registration[] => {
  const routes = new Map(api.map((one) => [one.endpoint.id, one]))
  return [
    route(postMcp, async (call) => {
      checkNotCrossSite(call.request, call.ctx.config)
      // Loaded on the first message, so that a server without agents never loads it.
      const { answerMcp } = await import('./mcp-server.ts')
      return answerMcp(call, routes)
    }),
    ...unsupportedMcp.map((endpoint) => publicRoute(endpoint, refuse)),
  ]
}
