// SPDX-License-Identifier: GPL-2.0
/*
 * The module of Linux beside: finds the window that loops and Linux share, and makes
 * /dev/hocket/fifo0 … 7.
 *
 * The device tree has a node "hocket,fifos" with the window (`reg`, memory that is nobody else's)
 * and the interrupt by which the loops tell Linux (an edge). The loops' side has made the window
 * before Linux began.
 */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "hocket.h"

/* The loops have put or got in some FIFO whose Linux side wanted to know. */
static irqreturn_t told(int irq, void *data)
{
	struct hocket *hocket = data;
	unsigned int i;

	for (i = 0; i < HOCKET_FIFO_COUNT; i++) {
		struct hocket_fifo *fifo = &hocket->fifo[i];

		if (!hocket_fifo_look(&fifo->own->wanted))
			continue;
		/* A process that queues itself after this sets it again. */
		hocket_fifo_want(fifo->own, false);
		wake_up_interruptible_all(&fifo->moved);
	}
	return IRQ_HANDLED;
}

static char *device_path(struct device *device, umode_t *mode)
{
	if (mode)
		*mode = hocket_fifo_to_linux(MINOR(device->devt)) ? 0440 : 0220;
	return NULL; /* the name says it: hocket!fifo0 is hocket/fifo0 */
}

static int make_fifo(struct device *parent, struct hocket *hocket, unsigned int number)
{
	struct hocket_fifo *fifo = &hocket->fifo[number];

	fifo->number = number;
	init_waitqueue_head(&fifo->moved);
	mutex_init(&fifo->lock);
	fifo->record = devm_kmalloc(parent, HOCKET_FIFO_MOST, GFP_KERNEL);
	if (!fifo->record)
		return -ENOMEM;
	if (hocket_fifo_to_linux(number)) {
		hocket_fifo_reader_resume(&fifo->reader, hocket->window, number);
		fifo->own = fifo->reader.own;
	} else {
		hocket_fifo_writer_resume(&fifo->writer, hocket->window, number);
		fifo->own = fifo->writer.own;
	}
	hocket_fifo_say(&fifo->own->open, 0);
	return 0;
}

/* Null, or why the window cannot be used. */
static const char *find_window(struct platform_device *device, struct hocket *hocket)
{
	struct resource *place = platform_get_resource(device, IORESOURCE_MEM, 0);

	if (!place || resource_size(place) != HOCKET_FIFO_WINDOW)
		return "the device tree gives no window of 64 KiB for FIFOs";
	hocket->window = devm_memremap(&device->dev, place->start, HOCKET_FIFO_WINDOW, MEMREMAP_WB);
	if (IS_ERR_OR_NULL(hocket->window))
		return "the window of FIFOs cannot be mapped";
	switch (hocket_fifo_examine(hocket->window)) {
	case HOCKET_FIFO_WINDOW_READY:
		return NULL;
	case HOCKET_FIFO_WINDOW_FOREIGN:
		return "the loops' kernel speaks another version of FIFOs: build module and kernel "
		       "of one release";
	default:
		return "there are no FIFOs in the window: this Linux does not run beside loops";
	}
}

static void remove_devices(struct hocket *hocket)
{
	while (hocket->made > 0)
		device_destroy(hocket->class, hocket->numbers + --hocket->made);
	if (!IS_ERR_OR_NULL(hocket->class))
		class_destroy(hocket->class);
	cdev_del(&hocket->cdev);
	unregister_chrdev_region(hocket->numbers, HOCKET_FIFO_COUNT);
}

static int make_devices(struct device *parent, struct hocket *hocket)
{
	int error = alloc_chrdev_region(&hocket->numbers, 0, HOCKET_FIFO_COUNT, "hocket");

	if (error)
		return error;
	cdev_init(&hocket->cdev, &hocket_fifo_operations);
	hocket->cdev.owner = THIS_MODULE;
	error = cdev_add(&hocket->cdev, hocket->numbers, HOCKET_FIFO_COUNT);
	if (error) {
		unregister_chrdev_region(hocket->numbers, HOCKET_FIFO_COUNT);
		return error;
	}
	hocket->class = class_create(THIS_MODULE, "hocket");
	if (IS_ERR(hocket->class)) {
		error = PTR_ERR(hocket->class);
		goto remove;
	}
	hocket->class->devnode = device_path;
	for (; hocket->made < HOCKET_FIFO_COUNT; hocket->made++) {
		struct device *device = device_create_with_groups(
			hocket->class, parent, hocket->numbers + hocket->made,
			&hocket->fifo[hocket->made], hocket_counter_groups, "hocket!fifo%u",
			hocket->made);

		if (IS_ERR(device)) {
			error = PTR_ERR(device);
			goto remove;
		}
	}
	return 0;
remove:
	remove_devices(hocket);
	return error;
}

static int probe(struct platform_device *device)
{
	struct hocket *hocket = devm_kzalloc(&device->dev, sizeof(*hocket), GFP_KERNEL);
	struct hocket_fifo_linux *ours;
	const char *wrong;
	unsigned int i;
	int irq, error;

	if (!hocket)
		return -ENOMEM;
	wrong = find_window(device, hocket);
	if (wrong) {
		dev_err(&device->dev, "%s\n", wrong);
		return -ENODEV;
	}
	irq = platform_get_irq(device, 0);
	if (irq < 0)
		return irq; /* told by the call */
	for (i = 0; i < HOCKET_FIFO_COUNT; i++) {
		error = make_fifo(&device->dev, hocket, i);
		if (error)
			return error;
	}
	error = devm_request_irq(&device->dev, irq, told, 0, "hocket", hocket);
	if (error)
		return dev_err_probe(&device->dev, error, "the FIFOs' interrupt is taken\n");
	error = make_devices(&device->dev, hocket);
	if (error)
		return dev_err_probe(&device->dev, error, "cannot make /dev/hocket\n");
	ours = hocket_fifo_linux_of(hocket->window);
	hocket_fifo_say(&ours->starts, hocket_fifo_look(&ours->starts) + 1);
	platform_set_drvdata(device, hocket);
	dev_info(&device->dev, "%u FIFOs to and from loops\n", HOCKET_FIFO_COUNT);
	return 0;
}

static int remove(struct platform_device *device)
{
	struct hocket *hocket = platform_get_drvdata(device);
	unsigned int i;

	remove_devices(hocket);
	for (i = 0; i < HOCKET_FIFO_COUNT; i++)
		hocket_fifo_want(hocket->fifo[i].own, false);
	return 0;
}

static const struct of_device_id compatible[] = {{.compatible = "hocket,fifos"}, {}};
MODULE_DEVICE_TABLE(of, compatible);

static struct platform_driver hocket_driver = {
	.probe = probe,
	.remove = remove,
	.driver =
		{
			.name = "hocket",
			.of_match_table = compatible,
			/* An open device must not be unbound; the module's reference count protects
			   it. */
			.suppress_bind_attrs = true,
		},
};
module_platform_driver(hocket_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("FIFOs to and from the real-time loops that this Linux runs beside");
