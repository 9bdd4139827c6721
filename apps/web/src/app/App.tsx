import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { warmUp } from './warm-up.ts'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
warmUp(router, queryClient)

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
