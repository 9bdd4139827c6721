import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { signOut, useUser } from '#features/auth/service.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'

/** Signing out, which asks first while answers have not reached the server. */
export const useSignOut = () => {
  const user = useUser()
  const queryClient = useQueryClient()
  const router = useRouter()
  const [unsent, setUnsent] = useState(0)
  const { mutate, isPending } = useMutation({
    mutationFn: () => signOut(queryClient),
    onSuccess: async () => {
      outbox.stop()
      // Records that were taken along are not left to whoever comes next.
      await import('#lib/taken/store.ts').then(({ dropAll }) => dropAll(user.id)).catch(() => undefined)
      await router.navigate({ to: '/sign-in' })
    },
  })
  return {
    /** How many answers the dialog is about; 0 while it is closed. */
    unsent,
    isPending,
    ask: async (): Promise<void> => {
      const count = await outbox.pendingCount(user.id)
      if (count === 0) mutate()
      else setUnsent(count)
    },
    stay: () => setUnsent(0),
    leave: () => mutate(),
  }
}
