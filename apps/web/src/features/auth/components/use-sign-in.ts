import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { SignInMethod } from '../api.ts'
import { signIn } from '../api.ts'
import { consumeReturnPath } from '../public.ts'

type State = { readonly isPending: boolean; readonly error: Error | null }

/**
 * Signs in and continues to the remembered page. The calling screen shows errors. Uses React state rather than the query
 * library's mutations, so that the script of this first screen stays small.
 */
export const useSignIn = () => {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<State>({ isPending: false, error: null })
  const enter = useCallback(
    async (method: SignInMethod, onRefused?: () => void): Promise<void> => {
      setState({ isPending: true, error: null })
      try {
        await signIn(queryClient, method)
        await router.navigate({ to: consumeReturnPath(queryClient), replace: true })
      } catch (error) {
        setState({ isPending: false, error: error instanceof Error ? error : new Error(String(error)) })
        onRefused?.()
      }
    },
    [queryClient, router],
  )
  return { ...state, enter }
}
