// SPDX-License-Identifier: GPL-2.0
/*
 * Asks the kernel beneath Linux for anything: calls of the firmware (SMC) with random numbers and
 * arguments, and writes to the interrupt controller, past all that Linux itself refuses. It does so
 * once, when it is loaded, and says what came of it.
 *
 *   calls   so many; those that would end this Linux or its core are left out
 *   writes  so many to registers of the distributor and of the first core's redistributor
 */
#include <linux/arm-smccc.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <uapi/linux/psci.h>

static unsigned int calls;
module_param(calls, uint, 0);
static unsigned int writes;
module_param(writes, uint, 0);
static unsigned int seed = 1;
module_param(seed, uint, 0);

#define GIC 0x08000000
#define GIC_SIZE 0x10000
#define REDISTRIBUTOR 0x080a0000
#define REDISTRIBUTOR_SIZE 0x20000

static struct rnd_state random;

static u64 any(void)
{
	u64 high = prandom_u32_state(&random);

	return high << 32 | prandom_u32_state(&random);
}

static u64 any_argument(void)
{
	static const u64 addresses[] = {0,
					0x0e000000,
					0x40000000,
					0x40080001,
					0xe000000000000000,
					0xffffff8000000000,
					0xffffffffffffffff,
					0x8000000000000000,
					0x3fffffff};

	switch (prandom_u32_state(&random) % 4) {
	case 0:
		return any();
	case 1:
		return prandom_u32_state(&random) % 8;
	case 2:
		return 1ull << prandom_u32_state(&random) % 64;
	default:
		return addresses[prandom_u32_state(&random) % ARRAY_SIZE(addresses)];
	}
}

/* PSCI's own numbers, those of other services, and any. */
static u64 any_function(void)
{
	const u32 number = prandom_u32_state(&random);

	switch (number % 4) {
	case 0:
		return PSCI_0_2_FN_BASE | (number >> 8) % 32;
	case 1:
		return PSCI_0_2_FN64_BASE | any() << 32 | (number >> 8) % 8;
	case 2:
		return 0x80000000 | (number >> 8 & 0x3f) << 24 | (number >> 16 & 0xff);
	default:
		return any();
	}
}

/* Would end this Linux, or the core, as it should: tests of their own do that. */
static bool ends(u64 function)
{
	switch ((u32)function) {
	case PSCI_0_2_FN_CPU_OFF:
	case PSCI_0_2_FN_SYSTEM_OFF:
	case PSCI_0_2_FN_SYSTEM_RESET:
		return true;
	default:
		return false;
	}
}

/* What PSCI and SMCCC can answer to these: an error, a version, a state. */
static bool is_answer(u64 answer)
{
	return (s64)answer >= -9 && (s64)answer <= 2 ? true : answer == 0x10001;
}

static void call(void)
{
	unsigned int done, strange = 0;

	for (done = 0; done < calls; done++) {
		struct arm_smccc_res answer;
		u64 function;

		do
			function = any_function();
		while (ends(function));
		arm_smccc_smc(function, any_argument(), any_argument(), any_argument(),
			      any_argument(), any(), any(), any(), &answer);
		strange += !is_answer(answer.a0);
		cond_resched();
	}
	pr_info("attacker: %u calls, %u strange answers\n", done, strange);
}

static void write_to(u64 address, u32 size)
{
	void __iomem *registers = ioremap(address, size);
	unsigned int done;

	for (done = 0; registers && done < writes / 2; done++)
		writel(any_argument(), registers + prandom_u32_state(&random) % size / 4 * 4);
}

static int __init start(void)
{
	prandom_seed_state(&random, seed);
	call();
	if (writes) {
		pr_emerg("attacker: writes to the interrupt controller\n");
		write_to(GIC, GIC_SIZE);
		write_to(REDISTRIBUTOR, REDISTRIBUTOR_SIZE);
	}
	return 0;
}
static void __exit end(void)
{
}
module_init(start);
module_exit(end);
MODULE_LICENSE("GPL");
