import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { prefetchPage } from './prefetch-page.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
prefetchPage(router, queryClient)

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
