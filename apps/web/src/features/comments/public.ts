/* Comments are loaded when they are shown, because most screens start without them. */
export const loadComments = async () => (await import('./Comments.tsx')).Comments
export const loadCommentsButton = async () => (await import('./CommentsButton.tsx')).CommentsButton
export const loadMentionList = async () => (await import('./MentionList.tsx')).MentionList
