import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Entrance } from '../api.ts'
import { signIn } from '../api.ts'
import { takeReturnPath } from '../service.ts'

type State = { readonly isPending: boolean; readonly error: Error | null }

/**
 * Signs in and goes on to the remembered page. The screen that asks shows the problem.
 * Plain state and no mutation of the query library: this is the first screen, and its script is counted.
 */
export const useSignIn = () => {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<State>({ isPending: false, error: null })
  const enter = useCallback(
    async (entrance: Entrance, onRefused?: () => void): Promise<void> => {
      setState({ isPending: true, error: null })
      try {
        await signIn(queryClient, entrance)
        await router.navigate({ to: takeReturnPath(queryClient), replace: true })
      } catch (error) {
        setState({ isPending: false, error: error instanceof Error ? error : new Error(String(error)) })
        onRefused?.()
      }
    },
    [queryClient, router],
  )
  return { ...state, enter }
}
