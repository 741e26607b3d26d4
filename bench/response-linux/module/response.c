// SPDX-License-Identifier: GPL-2.0
/*
 * The answer to an edge as a driver gives it: the handler of the input's interrupt raises the
 * output. (With real-time preemption the kernel makes a thread of such a handler.)
 *
 *   in, out  numbers of the GPIOs
 */
#include <linux/gpio.h>
#include <linux/interrupt.h>
#include <linux/module.h>

static int in = -1;
module_param(in, int, 0444);
static int out = -1;
module_param(out, int, 0444);
static int irq;

static void pulse(void)
{
	gpio_set_value(out, 1);
	gpio_set_value(out, 0);
}

static irqreturn_t answer(int number, void *unused)
{
	pulse();
	return IRQ_HANDLED;
}

static int __init begin(void)
{
	int failed;

	failed = gpio_request_one(in, GPIOF_IN, "response-in");
	if (failed)
		return failed;
	failed = gpio_request_one(out, GPIOF_OUT_INIT_LOW, "response-out");
	if (failed)
		goto free_in;
	irq = gpio_to_irq(in);
	failed = irq < 0 ? irq : request_irq(irq, answer, IRQF_TRIGGER_RISING, "response", NULL);
	if (failed)
		goto free_out;
	pulse(); /* ready */
	return 0;

free_out:
	gpio_free(out);
free_in:
	gpio_free(in);
	return failed;
}
module_init(begin);

static void __exit end(void)
{
	free_irq(irq, NULL);
	gpio_free(out);
	gpio_free(in);
}
module_exit(end);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("raises a pin when another one rises");
