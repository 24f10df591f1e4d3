/**
 * When a third of its life is left, or up to a fifteenth of its life later, so that certificates issued together are renewed at
 * different times.
 */
export function renewalTime(notBefore: Date, notAfter: Date, random = Math.random): Date {
  const life = notAfter.getTime() - notBefore.getTime();
  return new Date(notAfter.getTime() - life / 3 + (life / 15) * random());
}
