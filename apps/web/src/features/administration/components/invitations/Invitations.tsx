import type { Invitation } from '@postil/contract/people/account-links.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime, formatList, parseWireTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import type { ShownLink } from '../../invitations-api.ts'
import { invitationCalls, invitationsQuery } from '../../invitations-api.ts'
import styles from '../AdministrationPage.module.css'
import { ConfirmActionDialog } from '../ConfirmActionDialog.tsx'
import { LinkDialog } from './LinkDialog.tsx'

/** The open and expired invitations. Shows nothing if there are none. */
export const Invitations = () => {
  const { t } = useTranslation('features/administration')
  const { data: invitations = [] } = useQuery(invitationsQuery())
  if (invitations.length === 0) return null
  return (
    <section aria-labelledby="invitations-title" className={styles['invitations']}>
      <h3 id="invitations-title">{t('invitations.title')}</h3>
      <ul className={styles['list']}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  )
}

const InvitationRow = ({ invitation }: { readonly invitation: Invitation }) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const calls = invitationCalls(useQueryClient())
  const [openDialog, setOpenDialog] = useState<'renew' | 'revoke' | null>(null)
  const [shown, setShown] = useState<ShownLink | null>(null)
  const { username, first_name, last_name, role, workspaces, expires_at } = invitation
  const names = [first_name, last_name ?? ''].filter((name) => name.trim() !== '').join(' ')
  const time = formatDateTime(expires_at)
  const isExpired = parseWireTime(expires_at).getTime() < Date.now()
  const facts = [
    common(`user.role.${role}`),
    ...(workspaces.length === 0
      ? []
      : [
          formatList(
            workspaces.map(({ name }) => name),
            true,
          ),
        ]),
    isExpired ? t('invitations.expired', { time }) : t('invitations.expires', { time }),
  ]
  const close = (): void => setOpenDialog(null)
  return (
    <li className={styles['invitation']}>
      <div className={styles['who']}>
        <span className={styles['name']}>
          <bdi>{names}</bdi>
          <Pill>{isExpired ? t('invitations.isExpired') : t('invitations.isOpen')}</Pill>
        </span>
        <span className={styles['facts']}>
          <bdi>{username}</bdi> · {facts.join(' · ')}
        </span>
      </div>
      <Button look="quiet" aria-label={t('invitations.renewOf', { name: names })} onClick={() => setOpenDialog('renew')}>
        {t('invitations.renew')}
      </Button>
      <Button look="quiet" aria-label={t('invitations.revokeOf', { name: names })} onClick={() => setOpenDialog('revoke')}>
        {t('invitations.revoke')}
      </Button>
      {openDialog === 'renew' && (
        <ConfirmActionDialog
          title={t('invitations.renewTitle', { name: names })}
          confirmLabel={t('invitations.renew')}
          explanation={t('invitations.renewExplain')}
          action={async () => setShown(await calls.renew(invitation.id))}
          onClose={close}
        />
      )}
      {openDialog === 'revoke' && (
        <ConfirmActionDialog
          title={t('invitations.revokeTitle', { name: names })}
          confirmLabel={t('invitations.revokeVerb')}
          explanation={t('invitations.revokeExplain')}
          successText={t('invitations.isRevoked', { name: names })}
          action={() => calls.revoke(invitation.id)}
          onClose={close}
        />
      )}
      {shown && (
        <LinkDialog
          title={t('invitations.linkTitle', { name: first_name })}
          explanation={t('invitations.linkExplain')}
          shown={shown}
          onClose={() => setShown(null)}
        />
      )}
    </li>
  )
}
