import type { QueryClient } from '@tanstack/react-query'
import '@tanstack/react-router'

/** What a route's `prefetch` receives when the user opens the route's page. */
type Visit = {
  readonly queryClient: QueryClient
  readonly params: { readonly [name: string]: string }
  readonly search: { readonly [name: string]: unknown }
  /** Resolves to whether there is a session. Without a session, no data is requested, and the guards redirect the visitor. */
  readonly sessionCheck: Promise<boolean>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The message area that the page needs before it can render. */
    messages?: string
    /** Called before the page's code has loaded. Requests the data that the page shows first. */
    prefetch?: (visit: Visit) => Promise<void>
  }
}
