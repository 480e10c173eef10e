// What is said around /credit and its budgets.

export const credit = {
  creditForOperators:
    'The balance is the money of whoever runs me, so only they see it, not the admins of a server. If that is you, put your Discord id into `OPERATOR_IDS`.',
} as const;
