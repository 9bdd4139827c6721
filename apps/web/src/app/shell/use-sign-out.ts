import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut, useUser } from '#features/auth/public.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/** Signs out. Asks first if answers have not reached the server. */
export const useSignOut = () => {
  const user = useUser()
  const queryClient = useQueryClient()
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => signOut(queryClient),
    onSuccess: async () => {
      outbox.stop()
      await router.navigate({ to: '/sign-in' })
    },
  })
  return {
    /** Whether the dialog is open. */
    isConfirming,
    isPending,
    requestSignOut: async (): Promise<void> => {
      const counts = await outbox.unsentCounts(user.id)
      if (counts.waiting + counts.stuck === 0) mutate()
      else setConfirming(true)
    },
    cancel: () => setConfirming(false),
    confirm: () => mutate(),
  }
}
