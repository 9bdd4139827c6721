import type { User } from '@postil/contract/people/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ShownLink } from '../../invitations-api.ts'
import { invitationCalls } from '../../invitations-api.ts'
import { ConfirmActionDialog } from '../ConfirmActionDialog.tsx'
import { LinkDialog } from '../invitations/LinkDialog.tsx'

type Props = { readonly user: User; readonly onClose: () => void }

/** Creates a link with which a user who has forgotten their password sets a new one. */
export const PasswordLinkDialog = ({ user, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const calls = invitationCalls(useQueryClient())
  const [shown, setShown] = useState<ShownLink | null>(null)
  const { username } = user
  if (shown)
    return (
      <LinkDialog
        title={t('links.passwordTitle', { username })}
        explanation={t('links.passwordShare')}
        shown={shown}
        onClose={onClose}
      />
    )
  return (
    <ConfirmActionDialog
      title={t('links.passwordTitle', { username })}
      confirmLabel={t('links.create')}
      explanation={t('links.passwordExplain')}
      action={async () => setShown(await calls.createPasswordLink(user.id))}
      onClose={onClose}
      staysOpen
    />
  )
}

/** Revokes a user's open link for a new password. */
export const RevokePasswordLinkDialog = ({ user, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const calls = invitationCalls(useQueryClient())
  const { username } = user
  return (
    <ConfirmActionDialog
      title={t('links.revokeTitle', { username })}
      confirmLabel={t('links.revoke')}
      explanation={t('links.revokeExplain')}
      successText={t('links.isRevoked', { username })}
      action={() => calls.revokePasswordLink(user.id)}
      onClose={onClose}
    />
  )
}
